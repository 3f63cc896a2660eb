// Runs before the first paint: shows what needs scripts, and hides a first screen in another language.
import { preferredLanguage } from './locales/preferred-language.js';

const { classList } = document.documentElement;
classList.add('scripted');
// The first screen is written in English.
if (preferredLanguage() !== 'en') classList.add('foreign');
