// The controls of the recipe, of which there is one set: it moves to the view that is shown.
import { byId, el } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { Fingerprinter } from './pkg/index.js';
import { choices, defaultRecipe, defaultThreshold, largestThreshold, mixes, optionsOf, sameRecipe } from './recipe.js';
import { onChange, state, update } from './state.js';

/** The recipe with a change; another width gets its own default threshold. */
function change(name, value) {
  const recipe = { ...state.recipe, [name]: value };
  update(name === 'bits' ? { recipe, threshold: defaultThreshold(value) } : { recipe });
}

const control = (name, input) =>
  el(
    'div',
    { class: `control ${input.type === 'checkbox' ? 'check' : ''}` },
    el('label', { for: input.id, 'data-t': name }),
    input,
    el('p', { id: `${input.id}-hint`, class: 'hint', 'data-t': `${name}Hint` }),
  );

function select(name) {
  const options = choices[name].map((value) =>
    el('option', { value: JSON.stringify(value), 'data-t': `${name}:${value}` }),
  );
  const attributes = { id: `recipe-${name}`, 'aria-describedby': `recipe-${name}-hint` };
  const input = el('select', attributes, ...options);
  input.addEventListener('change', () => change(name, JSON.parse(input.value)));
  return input;
}

function mixBox() {
  const attributes = { id: 'recipe-mix', type: 'checkbox', 'aria-describedby': 'recipe-mix-hint' };
  const input = el('input', attributes);
  input.addEventListener('change', () => change('mix', input.checked));
  return input;
}

function thresholdRange() {
  const attributes = { id: 'recipe-threshold', type: 'range', min: 0, 'aria-describedby': 'recipe-threshold-hint' };
  const input = el('input', attributes);
  input.addEventListener('input', () => update({ threshold: Number(input.value) }));
  return input;
}

function show() {
  const { recipe, threshold } = state;
  byId('scheme').textContent = new Fingerprinter(optionsOf(recipe)).id;
  for (const name of ['bits', 'features', 'hash', 'weights', 'normalize']) {
    byId(`recipe-${name}`).value = JSON.stringify(recipe[name]);
  }
  byId('recipe-mix').checked = mixes(recipe);
  byId('recipe-mix').disabled = recipe.bits === 128;
  const range = byId('recipe-threshold');
  range.max = largestThreshold(recipe.bits);
  range.value = threshold;
  const said = t('thresholdValue', { threshold, bits: recipe.bits });
  range.setAttribute('aria-valuetext', said);
  byId('recipe-threshold-value').textContent = said;
  byId('recipe-reset').disabled = sameRecipe(recipe, defaultRecipe) && threshold === defaultThreshold(recipe.bits);
}

/** Moves the controls into the view. */
export const placeRecipe = (view) => byId(view).querySelector('.slot').append(byId('recipe'));

export function startRecipe() {
  const threshold = control('threshold', thresholdRange());
  threshold.querySelector('label').after(el('output', { id: 'recipe-threshold-value', for: 'recipe-threshold' }));
  const reset = el('button', { type: 'button', id: 'recipe-reset', 'data-t': 'recipeReset' });
  reset.addEventListener('click', () =>
    update({ recipe: defaultRecipe, threshold: defaultThreshold(defaultRecipe.bits) }),
  );
  byId('controls').append(
    threshold,
    control('bits', select('bits')),
    control('features', select('features')),
    control('hash', select('hash')),
    control('mix', mixBox()),
    control('weights', select('weights')),
    control('normalize', select('normalize')),
    reset,
  );
  byId('recipe').open = matchMedia('(min-width: 72rem)').matches;
  onChange((changed) => (changed.has('recipe') || changed.has('threshold')) && show());
  onLanguage(show);
  show();
}
