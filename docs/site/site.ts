// Runs on every page of the site.
import { startSearch } from './search.js';

startSearch();

// A table that is wider than the page scrolls in a box of its own, which the keyboard can reach.
const fit = new ResizeObserver((boxes) => {
  for (const { target } of boxes) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});
for (const table of document.querySelectorAll('.tsd-typography table')) {
  const box = document.createElement('div');
  box.className = 'table';
  table.replaceWith(box);
  box.append(table);
  fit.observe(box);
}

// TypeDoc puts links into the summaries of lists. One control must not be within another: the link to a module becomes the
// first entry of its list, and the permanent link of a list is left out.
function separateLinks(): void {
  for (const link of document.querySelectorAll('summary a')) {
    const list = link.closest('details')?.querySelector('ul');
    if (link.matches('.tsd-anchor-icon')) link.remove();
    else if (list) {
      const label = document.createElement('span');
      label.append(...link.childNodes);
      link.replaceWith(label);
      link.textContent = 'Overview';
      const item = document.createElement('li');
      item.append(link);
      list.prepend(item);
    }
  }
}
separateLinks();
const navigation = document.getElementById('tsd-nav-container');
// TypeDoc's script fills the navigation when its data has arrived.
if (navigation !== null) new MutationObserver(separateLinks).observe(navigation, { childList: true, subtree: true });

// The figure is loaded where there is one, as a classic script: a page that is opened as a file may not import modules.
const { currentScript } = document;
if (document.querySelector('[data-figure="votes"]') && currentScript instanceof HTMLScriptElement) {
  const script = document.createElement('script');
  script.src = new URL('votes.js', currentScript.src).href;
  document.head.append(script);
}
