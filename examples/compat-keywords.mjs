// Computes the fingerprints of jiebaR and of the Python SimHash over jieba.analyse for a Chinese text.
// nearprint is not published yet: the README says how to install it from a clone.
//
//     npm install nearprint @node-rs/jieba
import { Jieba, TfIdf } from '@node-rs/jieba';
import { dict, idf } from '@node-rs/jieba/dict.js';
import { fingerprint, toHex } from 'nearprint/compat';

const jieba = Jieba.withDict(dict);
const tfidf = TfIdf.withDict(idf);
// Like jieba.analyse and cppjieba: also words that are not in the dictionary.
tfidf.setConfig({ useHmm: true });

/** [keyword, weight] pairs, heaviest first. */
const keywords = (text, top) => tfidf.extractKeywords(jieba, text, top).map(({ keyword, weight }) => [keyword, weight]);

// jiebaR, with topn = 2.
console.log(toHex(fingerprint(keywords('你妈妈叫你回家吃饭啊', 2), { scheme: 'jieba' }))); // 48f024068dec1c16
// The Python program has topK=50.
console.log(toHex(fingerprint(keywords('你妈妈叫你回家吃饭啊', 50), { scheme: 'keywords-py' })));
