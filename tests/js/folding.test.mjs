// Words of sketches are folded: apostrophes, accents and broken words make no difference to the resemblance, and accents make
// one to equality.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resemblance, sketch } from '../../pkg/index.js';

/** Texts of more than 16 features, and the same ones written otherwise: [what, text, other, areEqual]. */
const cases = [
  [
    'French apostrophes',
    "L'eau de la rivière n'est pas montée jusqu'au pont, et l'école d'en face s'est ouverte aujourd'hui.",
    (text) => text.replaceAll("'", '’'),
    true,
  ],
  [
    'French accents',
    'La rivière a débordé très tôt mardi, a déclaré le préfet, et la chaussée près du lycée reste fermée cet été.',
    withoutMarks,
    false,
  ],
  [
    'Polish accents',
    'Rzeka wystąpiła z brzegów we wtorek rano, poinformował wójt, a droga koło szkoły jest zamknięta, więc źle się jedzie.',
    (text) => withoutMarks(text).replaceAll('ł', 'l'),
    false,
  ],
  [
    'Czech accents',
    'Řeka se v úterý časně ráno vylila z břehů, uvedl úřad, a silnice kolem školy zůstává až do večera uzavřená.',
    withoutMarks,
    false,
  ],
  [
    'Vietnamese accents',
    'Nước sông đã tràn bờ vào sáng sớm thứ ba, hội đồng cho biết, và con đường gần trường học vẫn bị đóng cửa.',
    (text) => withoutMarks(text).replaceAll('đ', 'd'),
    false,
  ],
  [
    'capitals of Greek, without accents',
    'Ο ποταμός υπερχείλισε νωρίς την Τρίτη, ανακοίνωσε ο δήμος, και ο δρόμος κοντά στο σχολείο παραμένει κλειστός.',
    (text) => withoutMarks(text.toUpperCase()),
    false,
  ],
  [
    'capitals of Turkish',
    'Nehir salı sabahı erken saatlerde taştı, belediye açıkladı, ve okulun yanındaki yol kapalı kaldı; kimse yaralanmadı.',
    (text) => text.toLocaleUpperCase('tr'),
    false,
  ],
  [
    'Arabic without harakat',
    'فَاضَ النَّهْرُ عَلَى ضِفَّتَيْهِ صَبَاحَ يَوْمِ الثُّلَاثَاءِ، وَقَالَ المَجْلِسُ إِنَّ الطَّرِيقَ قُرْبَ المَدْرَسَةِ مُغْلَقٌ حَتَّى المَسَاءِ',
    (text) => text.replaceAll(/[\u064b-\u0652]/g, ''),
    false,
  ],
  [
    'words broken at line ends',
    'Der Fluss ist am Dienstagmorgen über die Ufer getreten, sagte der Gemeinderat, und die Landstraße bleibt geschlossen.',
    (text) => text.replace('Dienstagmorgen', 'Dienstag-\nmorgen').replace('Gemeinderat', 'Gemeinde\u00ad\r\n  rat'),
    true,
  ],
];

/** The text without what Unicode decomposes into a letter and marks. */
function withoutMarks(text) {
  return text.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
}

test('apostrophes, accents, capitals and broken words make no difference to the resemblance', () => {
  for (const [what, text, change, areEqual] of cases) {
    const other = change(text);
    assert.notEqual(other, text, what);
    const [a, b] = [sketch(text), sketch(other)];
    assert.ok(!a.hasFewFeatures, what);
    assert.equal(resemblance(a, b), 1, what);
    assert.equal(a.equals(b), areEqual, what);
  }
});

test('letters and marks that tell words apart do not fold', () => {
  for (const [text, other] of [
    // Marks of Indic scripts, Thai and kana are letters there.
    ['हिन्दी', 'हनद'],
    ['กุ้ง', 'กง'],
    ['が', 'か'],
    // Between digits, an apostrophe or a dot stays.
    ["5'10", '510'],
    ['£3·50', '£350'],
  ]) {
    assert.ok(!sketch(text).equals(sketch(other)), text);
    assert.equal(resemblance(text, other), 0, text);
  }
});
