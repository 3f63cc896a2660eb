// The page: its language, the two views, share links.
import { currentSummaries, startCompare } from './compare/compare-view.js';
import { refuseStrayDrops } from './files/choose-files.js';
import { isLanguage } from './locales/language.js';
import { currentLanguage, setLanguage, translatePage } from './locales/locale.js';
import { placeScheme, startScheme } from './scheme/scheme-view.js';
import { startSnippet } from './scheme/snippet.js';
import { byId } from './shared/dom.js';
import { showLinks } from './shared/links.js';
import { messageIn } from './shared/message.js';
import { fromHash, isShareLink, toHash } from './shared/share-link.js';
import { onChange, type State, state, update } from './shared/state.js';

const showNotice = messageIn(byId('notice'));
const showShared = messageIn(byId('shared'));

/** Whether the state is being read from the URL. */
let reading = false;

function startLanguage(): void {
  const language = byId('language', HTMLSelectElement);
  language.value = currentLanguage();
  language.addEventListener('change', () => {
    if (isLanguage(language.value)) setLanguage(language.value);
  });
}

let duplicates: 'absent' | 'loaded' | 'missing' = 'absent';

/** Loads the view of duplicates when it is first shown: most visits do not need it. */
async function loadDuplicates(): Promise<void> {
  const before = duplicates;
  duplicates = 'loaded';
  const view = await import('./duplicates/duplicates-view.js').catch(() => undefined);
  if (view === undefined) {
    duplicates = 'missing';
    return showNotice('viewMissing');
  }
  if (before === 'missing') showNotice();
  view.startDuplicates(share);
  translatePage();
}

function showView(): void {
  for (const view of ['compare', 'duplicates']) {
    byId(view).hidden = view !== state.view;
    byId(`to-${view}`).toggleAttribute('aria-current', view === state.view);
  }
  placeScheme(state.view);
  if (state.view === 'duplicates' && duplicates !== 'loaded') loadDuplicates();
}

/** Sets the view or the shared state that the URL holds. A damaged link changes nothing. */
async function readHash(): Promise<void> {
  const { hash } = location;
  if (hash === '#compare') update({ view: 'compare' });
  if (hash === '#duplicates') update({ view: 'duplicates' });
  if (!isShareLink(hash)) return;
  reading = true;
  const shared = await fromHash(hash);
  if ('error' in shared) {
    showNotice(shared.error);
  } else {
    if (shared.change.summaries) showNotice('sharedSummariesOnly');
    else showNotice();
    update(shared.change);
  }
  reading = false;
}

/** How long the page says that a link was copied, in milliseconds. */
const SHARED_FOR = 10_000;

let sharedTimer: number | undefined;

async function share(): Promise<void> {
  const { hash, whole } = await toHash(state, currentSummaries());
  history.replaceState(null, '', hash);
  let copied = true;
  await navigator.clipboard.writeText(location.href).catch(() => {
    copied = false; // No permission: the link is in the address bar.
  });
  showShared('shared', { copied, whole, view: state.view });
  clearTimeout(sharedTimer);
  sharedTimer = setTimeout(showShared, SHARED_FOR);
}

/** The values that a share link holds. */
const sharedNames = ['a', 'b', 'lines', 'scheme', 'threshold'] as const;

/** Removes a share link from the URL when the state changes. */
function dropStaleLink(changed: ReadonlySet<keyof State>): void {
  if (!sharedNames.some((name) => changed.has(name))) return;
  showShared();
  if (isShareLink(location.hash) && !reading) history.replaceState(null, '', `#${state.view}`);
}

showLinks();
translatePage();
startLanguage();
await readHash();
startScheme();
startSnippet();
startCompare();
translatePage();
showView();
onChange((changed) => {
  if (changed.has('view')) {
    showView();
    // The browser may have looked for the fragment before the view was shown.
    scrollTo(0, 0);
  }
  dropStaleLink(changed);
});
addEventListener('hashchange', readHash);
document.querySelectorAll('.share').forEach((button) => {
  button.addEventListener('click', share);
});
refuseStrayDrops();
