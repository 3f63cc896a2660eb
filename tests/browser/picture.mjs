// The view of the page that docs/page.png shows, and the figures in it.
import { open, reads } from './harness.mjs';

/** Opens the page as the picture shows it. */
export async function openPicture() {
  const opened = await open('/', { viewport: { width: 1280, height: 1000 }, colorScheme: 'light' });
  await reads(opened.page, '#number-estimate', /\d/);
  await opened.page.locator('#marks-b .lit').first().waitFor();
  return opened;
}

/** Returns the lines of the page with figures: the title, the verdict, the sentence on a bit and its number line. */
export const figuresOf = (page) =>
  page.evaluate(() =>
    ['headline', 'result', 'sentence', 'number-line'].flatMap((id) =>
      document
        .getElementById(id)
        .innerText.split(/\s*\n\s*/)
        .filter(Boolean),
    ),
  );
