// Starts the page: its language and theme, its two views, its address.
import { shownPrints, startCompare } from './compare-view.js';
import { byId } from './dom.js';
import { refuseStrayDrops } from './drop.js';
import { startDuplicates } from './duplicates-view.js';
import { currentLanguage, setLanguage, translate } from './i18n.js';
import { messageIn } from './message.js';
import { placeRecipe, startRecipe } from './recipe-view.js';
import { remember, remembered } from './settings.js';
import { fromHash, isShared, toHash } from './share.js';
import { onChange, state, update } from './state.js';

const notice = messageIn(byId('notice'));
const shared = messageIn(byId('shared'));
const offline = messageIn(byId('offline'));

function startSettings() {
  const language = byId('language');
  language.value = currentLanguage();
  language.addEventListener('change', () => setLanguage(language.value));
  const theme = byId('theme');
  theme.value = remembered('theme') ?? 'auto';
  theme.addEventListener('change', () => {
    document.documentElement.dataset.theme = theme.value;
    remember('theme', theme.value);
  });
}

function showView() {
  for (const view of ['compare', 'duplicates']) {
    byId(view).hidden = view !== state.view;
    byId(`to-${view}`).toggleAttribute('aria-current', view === state.view);
  }
  placeRecipe(state.view);
}

/** Takes over what the address says. Whatever is wrong with it, the texts stay. */
async function readAddress() {
  const { hash } = location;
  if (hash === '#compare' || hash === '#duplicates') update({ view: hash.slice(1) });
  if (!isShared(hash)) return;
  const { error, ...change } = await fromHash(hash);
  notice(error ?? (change.prints ? 'sharedPrintsOnly' : undefined));
  if (!error) update(change);
}

async function share() {
  const { hash, whole } = await toHash(state, shownPrints());
  history.replaceState(null, '', hash);
  let copied = true;
  await navigator.clipboard.writeText(location.href).catch(() => {
    copied = false; // no permission: the address bar has it
  });
  shared('shared', { copied, whole, view: state.view });
}

/** The address no longer says what is shown: a reload must not bring back something else. */
function forgetAddress(changed) {
  if (['a', 'b', 'lines', 'recipe', 'threshold'].some((name) => changed.has(name))) {
    shared();
    if (isShared(location.hash) && !reading) history.replaceState(null, '', `#${state.view}`);
  }
}

let reading = false;

async function follow() {
  reading = true;
  await readAddress();
  reading = false;
}

async function goOffline() {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register(new URL('./sw.js', import.meta.url));
    await navigator.serviceWorker.ready;
    offline('offlineReady');
  } catch {
    // Private windows may forbid it. The page works all the same.
  }
}

translate();
startSettings();
await follow();
startRecipe();
startCompare();
startDuplicates();
translate();
showView();
onChange((changed) => {
  if (changed.has('view')) showView();
  forgetAddress(changed);
});
addEventListener('hashchange', follow);
byId('share').addEventListener('click', share);
refuseStrayDrops();
goOffline();
