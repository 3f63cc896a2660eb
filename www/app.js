// The page: settings, the two views, share links, offline use.
import { shownSummaries, startCompare } from './compare/compare-view.js';
import { startDuplicates } from './duplicates/duplicates-view.js';
import { refuseStrayDrops } from './files/choose-files.js';
import { currentLanguage, setLanguage, translatePage } from './locales/locale.js';
import { placeScheme, startScheme } from './scheme/scheme-view.js';
import { byId } from './shared/dom.js';
import { messageIn } from './shared/message.js';
import { loadSetting, saveSetting } from './shared/settings.js';
import { fromHash, isShareLink, toHash } from './shared/share-link.js';
import { onChange, state, update } from './shared/state.js';

const showNotice = messageIn(byId('notice'));
const showShared = messageIn(byId('shared'));
const showOffline = messageIn(byId('offline'));

/** Whether the state is being read from the URL. */
let reading = false;

function startSettings() {
  const language = byId('language');
  language.value = currentLanguage();
  language.addEventListener('change', () => setLanguage(language.value));
  const theme = byId('theme');
  theme.value = loadSetting('theme') ?? 'auto';
  theme.addEventListener('change', () => {
    document.documentElement.dataset.theme = theme.value;
    saveSetting('theme', theme.value);
  });
}

function showView() {
  for (const view of ['compare', 'duplicates']) {
    byId(view).hidden = view !== state.view;
    byId(`to-${view}`).toggleAttribute('aria-current', view === state.view);
  }
  placeScheme(state.view);
}

/** Takes the view or the shared state from the URL. A damaged link changes nothing. */
async function readHash() {
  const { hash } = location;
  if (hash === '#compare' || hash === '#duplicates') update({ view: hash.slice(1) });
  if (!isShareLink(hash)) return;
  reading = true;
  const { error, ...change } = await fromHash(hash);
  showNotice(error ?? (change.summaries ? 'sharedSummariesOnly' : undefined));
  if (!error) update(change);
  reading = false;
}

async function share() {
  const { hash, whole } = await toHash(state, shownSummaries());
  history.replaceState(null, '', hash);
  let copied = true;
  await navigator.clipboard.writeText(location.href).catch(() => {
    copied = false; // No permission: the link is in the address bar.
  });
  showShared('shared', { copied, whole, view: state.view });
}

/** Removes a share link from the URL once the state differs from it. */
function dropStaleLink(changed) {
  if (!['a', 'b', 'lines', 'scheme', 'threshold'].some((name) => changed.has(name))) return;
  showShared();
  if (isShareLink(location.hash) && !reading) history.replaceState(null, '', `#${state.view}`);
}

async function startOffline() {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('service-worker.js');
    await navigator.serviceWorker.ready;
    showOffline('offlineReady');
  } catch {
    // Private windows may forbid service workers. The page works online.
  }
}

translatePage();
startSettings();
await readHash();
startScheme();
startCompare();
startDuplicates();
translatePage();
showView();
onChange((changed) => {
  if (changed.has('view')) showView();
  dropStaleLink(changed);
});
addEventListener('hashchange', readHash);
byId('share').addEventListener('click', share);
refuseStrayDrops();
startOffline();
