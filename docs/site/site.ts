// Runs on every page of the site.

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

// The figure is loaded where there is one, as a classic script: a page that is opened as a file may not import modules.
const { currentScript } = document;
if (document.querySelector('[data-figure="votes"]') && currentScript instanceof HTMLScriptElement) {
  const script = document.createElement('script');
  script.src = new URL('votes.js', currentScript.src).href;
  document.head.append(script);
}
