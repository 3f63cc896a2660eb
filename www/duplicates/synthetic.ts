// Fifty thousand generated notices. Every third one is a slightly changed copy of an earlier one.
import { randomNumbers } from '../../js/calibrate/sample.js';
import { pause } from '../shared/pause.js';
import type { Collection, CollectionDocument } from './collection.js';

const COUNT = 50_000;

/** The number of notices between two pauses. */
const SLICE = 400;

const things =
  'lantern,ladder,bicycle,violin,kettle,umbrella,rowing boat,typewriter,carpet,telescope,beehive,wardrobe,accordion,wheelbarrow,sledge,sewing machine,globe,chessboard,mirror,cradle,anvil,clock,barrel,tent,loom,easel,harp,trunk,scale,bench,stove,printing press'.split(
    ',',
  );
const qualities =
  'green,almost new,dented,painted,three-legged,heirloom,foldable,much mended,English,silver,children’s,oversized,quiet,borrowed,walnut,rusty,brass,striped,hand-made,second-best,famous,unwanted,blue,waterproof,crooked,collapsible,antique,cheerful,half-finished,spare,travelling,ornate'.split(
    ',',
  );
const places =
  'the old ferry landing,Cooper Lane,the reading room,the north gate,Saint Olave’s yard,the weir,the tram depot,Market Row,the lighthouse,the fever hospital,Tanner’s Bridge,the botanical garden,the observatory,Gallows Hill,the salt store,the swimming baths,the corn exchange,Half Moon Court,the quarry,the aviary,Mill Street,the signal box,the customs house,Pilgrim Steps,the ice house,the orchard wall,the rope walk,the bandstand,Fish Quay,the cattle market,the town library,the glass works'.split(
    ',',
  );
const people =
  'Mrs Aldous,the piano tuner,young Petersen,a retired captain,the baker’s twins,Doctor Imre,the choir,two surveyors,Miss Okafor,the night porter,a visiting botanist,the Lindqvists,the new curate,Old Tomas,the glazier,an unnamed donor,the postmistress,Madame Roux,the allotment society,a juggler,the school inspector,Captain Bello,the river warden,her neighbour,the fencing club,a beekeeper,the midwife,Professor Adeyemi,the lamplighter,the chess circle,a clockmaker,the stationmaster'.split(
    ',',
  );
const doings =
  'mended overnight,offered to the museum,swapped for seed potatoes,left out in the rain,entered for the county prize,photographed from every side,lent to the theatre,carried up four flights of stairs,returned without a word,weighed on the public scales,argued over at length,hidden behind the organ,towed as far as the lock,advertised in three papers,sold by mistake,given a second coat of varnish,kept under a tarpaulin,inherited by a cousin abroad,measured twice and sawn once,shown to the mayor,raffled for the orphanage,found in the reeds,insured for a fortune,taken apart for cleaning,played at two weddings,struck by lightning,admired by strangers,forgotten on the last train,copied by an apprentice,christened with cider,buried with honours,put on wheels'.split(
    ',',
  );
const ends = 'Write to box,Ask at door,Call on extension,Quote lot,Bring ticket,Apply at desk,See page,Ring bell'.split(
  ',',
);

export async function syntheticNotices(): Promise<Collection> {
  const random = randomNumbers(20);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)];
  const sentences = [
    () => `The ${pick(qualities)} ${pick(things)} of ${pick(people)} was ${pick(doings)}.`,
    () => `Near ${pick(places)} ${pick(people)} saw a ${pick(qualities)} ${pick(things)}, ${pick(doings)}.`,
    () =>
      `Wanted: one ${pick(qualities)} ${pick(things)}, to be collected from ${pick(places)} before ${1 + random(12)} o’clock.`,
    () => `According to ${pick(people)}, ${pick(places)} has never been so ${pick(qualities)}.`,
    () => `Lost between ${pick(places)} and ${pick(places)}: a ${pick(qualities)} ${pick(things)}.`,
    () => `Whoever has ${pick(doings).split(' ')[0]} the ${pick(things)} is kindly reminded of ${pick(people)}.`,
    () => `${pick(ends)} ${100 + random(9900)}.`,
  ];
  /** The sentences of each notice. */
  const notices: string[][] = [];
  const documents: CollectionDocument[] = [];
  while (notices.length < COUNT) {
    let notice: string[];
    if (notices.length > 50 && random(3) === 0) {
      notice = [...pick(notices)];
      notice[random(notice.length)] = sentences[6]();
    } else {
      notice = Array.from({ length: 9 + random(4) }, () => pick(sentences)());
    }
    notices.push(notice);
    const text = notice.join(' ');
    documents.push({ name: `${notices.length}`, text, raw: text });
    if (notices.length % SLICE === 0) await pause();
  }
  return {
    documents,
    broken: [],
    damaged: 0,
    quoted: { rows: 0, breaks: 0 },
    format: 'lines',
    fields: [],
    field: '',
    unread: [],
  };
}
