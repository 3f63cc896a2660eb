// The view of the page that docs/page.png shows, and the figures in it.
import { open, reads } from './harness.mjs';

/** Opens the page as the picture shows it. */
export async function openPicture() {
  const opened = await open('/', { viewport: { width: 1280, height: 1000 }, colorScheme: 'light' });
  await reads(opened.page, '#measures', /\d/);
  return opened;
}

/** Returns the lines of the page with figures: the verdict with the measures below it, and the fingerprints. */
export const figuresOf = (page) =>
  page.evaluate(() => [
    ...document.getElementById('result').innerText.split(/\s*\n\s*/),
    ...Array.from(document.querySelectorAll('#fingerprints code'), (code) => code.innerText),
  ]);
