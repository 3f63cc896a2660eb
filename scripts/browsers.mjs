// Where browsers are installed.
import { existsSync } from 'node:fs';
import { fail } from './run.mjs';

/** The usual paths of each browser. A variable of the environment with the same name comes before them. */
const paths = {
  CHROMIUM: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
  FIREFOX: [
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ],
};

/** Returns the path of CHROMIUM or FIREFOX, or undefined if it is not installed. */
export const browserPath = (variable) =>
  [process.env[variable], ...paths[variable]].find((path) => path && existsSync(path));

/** Returns the message that a browser is not installed. */
export const noBrowser = (variable) =>
  `no ${variable === 'CHROMIUM' ? 'Chromium' : 'Firefox'} was found; set ${variable} to the path of one`;

/** Sets the variable of Chromium, which tests/browser/harness.mjs opens. Ends the script if Chromium is not installed. */
export function requireChromium() {
  process.env.CHROMIUM = browserPath('CHROMIUM') ?? fail(noBrowser('CHROMIUM'));
}
