// On every page of the site. Loads the figure where there is one, as a classic script: a page that is opened as a file may
// not import modules.
if (document.querySelector('[data-figure="votes"]')) {
  const script = document.createElement('script');
  script.src = new URL('votes.js', document.currentScript.src);
  document.head.append(script);
}
