// Sample pairs, which the page loads when one is chosen. The texts are written for this page, except the licences, which permit
// copying.
import type { SampleName } from './sample-names.js';

const news = `The river Aune burst its banks early on Tuesday, the district council said, and some forty families spent the night on camp beds in the school hall. Two bridges are closed to all traffic, and the railway runs only as far as Oldmill. No one was hurt.

“We have seen high water before, but never this fast,” said Marta Lind, who has kept the ferry for thirty years. Volunteers filled sandbags until dawn while the fire service pumped out cellars along the quay. The water is expected to fall by Thursday, and the council has promised to say by the end of the week when the bridges will open again.`;

const newsEdited = `The river Aune burst its banks early on Tuesday, a council spokeswoman said, and about forty families spent the night on camp beds in the school hall. Two bridges are closed to all traffic, and the railway runs only as far as Oldmill. No one was hurt.

"We have seen high water before, but never this fast," said Marta Lind, who has kept the ferry for thirty years. Volunteers filled sandbags until dawn while the fire service pumped out cellars along the quay. The water is expected to fall by Friday, and the council has promised to say by the end of the week when the bridges will open again.`;

const gardening = `Prune an apple tree while it sleeps, on a dry day between the fall of the leaves and the first swelling of the buds. Take out what is dead, what is sick and what rubs against a better branch; then step back and look. The crown should be open enough for a bird to fly through. Cut just above a bud that points outwards, with a clean blade and a slight slope, so that rain runs off the wound. Never take more than a quarter of the crown in one winter: a tree that is cut too hard answers with a thicket of upright shoots that bear nothing. Old trees want patience. Spread the work over three or four years, and feed the roots with compost in spring.`;

const sailing = `A sloop that heels too much is slow, wet and hard to steer. Before you reef, ease the sheet a hand’s width and let the boat find her feet; often that is enough. If the helm still pulls, it is time. Luff up gently, take the weight of the boom, lower the halyard until the new tack reaches its hook, and haul the leech line down hard before you set the sail again. Everyone aboard should know which rope does what, because in a squall nobody will hear you explain. Practise in the harbour on a calm evening. Good crews reef early and shake it out late, and they come home with dry matches.`;

const chinese = `清晨六点，老城的豆浆铺已经坐满了人。店主周师傅说，这家店是他父亲三十年前开的，石磨一直没有换过。每天夜里两点，他先把黄豆泡好，再一勺一勺地磨，磨出来的浆要过三遍纱布，煮的时候不能离人，火大了容易糊锅。熟客进门不必开口，一碗咸浆、两根油条很快就端到桌上。今年春天，街道开始修路，客人少了一些，不过周师傅并不着急。他说，路总会修好，豆浆的味道不变，人就会回来。`;

const chineseEdited = `清晨六点，老城的豆浆铺已经坐满了人。店主周师傅说，这家店是他爷爷五十年前开的，石磨一直没有换过。每天夜里两点，他先把黄豆泡好，再一勺一勺地磨，磨出来的浆要过三遍纱布，煮的时候不能离人，火大了容易糊锅。熟客进门不必开口，一碗甜浆、两根油条很快就端到桌上。今年夏天，街道开始修路，客人少了一些，不过周师傅并不着急。他说，路总会修好，豆浆的味道不变，人就会回来。`;

const japanese = `駅前の古い本屋が、今月末で店を閉じることになった。店主の森さんは四十年あまり、ほとんど休まずに店を開けてきた。棚には新しい本よりも、誰かが手放した本のほうが多い。学校帰りの子どもたちは奥の椅子に座って、買わない漫画を一冊読んでから家に帰る。森さんはそれを一度も叱らなかった。「読む人がいれば、本は幸せですから」と森さんは笑う。最後の日には、残った本をすべて半額にするそうだ。`;

const japaneseEdited = `駅前の古い本屋が、来月末で店を閉じることになった。店主の森さんは四十年あまり、ほとんど休まずに店を開けてきた。棚には新しい本よりも、誰かが手放した本のほうが多い。学校帰りの子どもたちは奥の椅子に座って、買わない漫画を一冊読んでから家に帰る。森さんはそれを一度も叱らなかった。「読む人がいれば、本は幸せですから」と森さんは話す。最後の日には、残った本をすべて半額にするそうだ。`;

const emoji = `🌅 Up at six ☕ two cups 🥐 one croissant 🚲 to work 🌧️ all the way 😩 soaked 🧦🧦 new socks 💻 meetings 🥱 until noon 🍜 noodles with Ana 👩‍🔬 and her sister 👨‍👩‍👧 home by seven 🍝 pasta 🎬 half a film 😴 asleep before the end 🌙`;

const emojiEdited = `🌅 Up at six ☕ two cups 🥐 one croissant 🚲 to work 🌧️ all the way 😩 soaked 🧦🧦 new socks 💻 meetings 🥱 until noon 🍜 noodles with Ana 👩‍🔬 and her brother 👨‍👩‍👧 home by seven 🍕 pizza 🎬 half a film 😴 asleep before the end 🌙`;

const bsd2 = `Copyright (c) <year> <owner>

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.

`;

const bsd3 = `${bsd2}3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products derived from this software without specific prior written permission.

`;

const bsdDisclaimer = `THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS “AS IS” AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;

/** A pair of texts. */
export interface SamplePair {
  name: SampleName;
  a: string;
  b: string;
}

export const samples: readonly SamplePair[] = [
  { name: 'sampleNews', a: news, b: newsEdited },
  { name: 'sampleLicences', a: bsd2 + bsdDisclaimer, b: bsd3 + bsdDisclaimer },
  { name: 'sampleChinese', a: chinese, b: chineseEdited },
  { name: 'sampleJapanese', a: japanese, b: japaneseEdited },
  { name: 'sampleEmoji', a: emoji, b: emojiEdited },
  { name: 'sampleUnrelated', a: gardening, b: sailing },
];
