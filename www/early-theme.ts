// Runs before the first paint: shows what needs scripts, and sets the chosen theme, so that the other theme does not flash.
import { preferredLanguage } from './locales/preferred-language.js';
import { loadSetting } from './shared/settings.js';

const { classList, dataset } = document.documentElement;
classList.add('scripted');
// The first screen is written in English.
if (preferredLanguage() !== 'en') classList.add('foreign');
const theme = loadSetting('theme');
if (theme === 'light' || theme === 'dark') dataset.theme = theme;
