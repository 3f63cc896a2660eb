// Runs before the first paint: shows what needs scripts, and sets the chosen theme, so that the other theme does not flash.
document.documentElement.classList.add('scripted');
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the page follows the system's theme.
}
