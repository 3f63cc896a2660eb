// The table and the functions of a store in PostgreSQL. A call is decided in one function, in one round trip.
//
// The lock rule is two-phase locking with advisory locks. A call first locks the ids that it changes, exclusively. Then it
// reads their versions and locks block values: exclusively where it may add, change or remove a version, and shared where it
// only probes. Short texts are in no block: they have lock values of their own. Both groups of locks are sorted, which
// prevents deadlocks. Only then does a call read the clock, search and change the table: under READ COMMITTED, each later
// statement of a function sees the changes that were committed while the call waited. So calls that affect each other take
// effect in the order in which they got their locks, and their times have the same order.
//
// No later call sees a version that has ended, so its removal needs no such locks. Removal skips locked rows, so it never
// waits. To be sure that a missing version has ended, a search reads the clock after its snapshot.
import { MIN_BRIEF_RESEMBLANCE } from '../core/decision-options.js';
import { MAX_DISTANCE, MAX_PASSED, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { metadataOf, type Settings } from './settings.js';
import { end, isLive } from './sql-store.js';

/** The number of ended versions that a change removes. */
const MAX_PRUNED = 1000;

/** The number of bits of a version's number in the key of an index. The 16 bits above them are the value of a block. */
const NUMBER_BITS = 48;

/** The largest number. */
const MAX_NUMBER = 2 ** NUMBER_BITS - 1;

/** The time in milliseconds since 1970. */
export const clock = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const all = [0, 1, 2, 3];

/** The lock of the versions of short texts, by the hash of the words. Short texts have block 4. */
const shortLock = (words: string): string => `(${4 << 16} | (${words} & 65535))::int`;

/** The key of a version in the index of the block at `at`, from the highest: the value of the block, then the number. */
const keyOf = (at: number): string => `((fingerprint << ${16 * at}) & ${-MAX_NUMBER - 1} | number)`;

/** The locks of a version: the values of its blocks. */
const locksOf = (version: string): string =>
  `CASE WHEN ${version}.minhash IS NULL THEN ARRAY[${shortLock(`${version}.words`)}] ELSE ARRAY[${all
    .map((at) => `(${at << 16} | (${version}.fingerprint >> ${48 - 16 * at} & 65535))::int`)
    .join(', ')}] END`;

/** The bins of a MinHash that are not empty, as the lower of their two bits. */
const filled = (minhash: string): string => `((${minhash} | (${minhash} >> 1)) & X'${'5'.repeat(128)}')`;

/** The estimated resemblance of two MinHashes, from the filled bins and the bins that differ. NULL if either is NULL. */
const resemblanceOf = (a: string, b: string, different: string): string => `CASE bit_count(${a} | ${b}) WHEN 0 THEN 1
          ELSE greatest(3 * bit_count(${a} & ${b} & ~${different}) - bit_count(${a} & ${b}), 0)::float8
            / (2 * bit_count(${a} | ${b}))::float8 END`;

/** The settings that make all functions use the indexes, even before there are statistics. */
const settings =
  'SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off ' +
  'SET max_parallel_workers_per_gather = 0';

const head = `LANGUAGE plpgsql ${settings} AS $function$\n#variable_conflict use_column`;

const checkIsolation = `IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'the isolation level must be read committed, got %', current_setting('transaction_isolation');
  END IF;`;

/**
 * Locks block values in ascending order. `rows` selects the key of each lock and whether it is shared. An exclusive lock
 * that is held serves as a shared one.
 */
const lockValues = (name: string, rows: string): string =>
  `PERFORM CASE WHEN is_shared THEN pg_advisory_xact_lock_shared(hashtext('${name}'), key)
    ELSE pg_advisory_xact_lock(hashtext('${name}'), key) END
  FROM (
    SELECT key, is_shared FROM (
      ${rows}
    ) AS given (key, is_shared) ORDER BY key, is_shared
  ) AS locks;`;

/** Removes some ended versions. */
const prune = (name: string): string =>
  `IF EXISTS (SELECT 1 FROM ${name}_documents WHERE ${end} <= ${clock}) THEN
    PERFORM ${name}_prune();
  END IF;`;

/** Returns the body of the function `NAME_search`. */
function searchOf(name: string): string {
  const table = `${name}_documents`;
  const isOther = `${isLive('d', 'now_')} AND d.id IS DISTINCT FROM except_`;
  const distance = 'bit_count((d.fingerprint # fingerprint_)::bit(64))';
  const first = `probe.value << ${NUMBER_BITS}`;
  const last = `(${first} | ${MAX_NUMBER})`;
  /** The largest key that is read of a bucket in which versions may have ended. */
  const cut = (at: number) => `least(${last}, (SELECT ${keyOf(at)} FROM ${table} AS d WHERE d.minhash IS NOT NULL
                AND ${keyOf(at)} BETWEEN ${first} AND ${last} ORDER BY ${keyOf(at)} LIMIT 1 OFFSET ${MAX_PASSED + MAX_READ}))`;
  const read = all.map(
    (at) => `SELECT (${distance} << ${NUMBER_BITS}) | d.number AS rank
        FROM unnest(probes[${at} * per_block + 1 : ${at + 1} * per_block]) AS probe (value) CROSS JOIN LATERAL (
          SELECT d.number, d.fingerprint FROM ${table} AS d
          WHERE d.minhash IS NOT NULL AND ${isOther}
            AND ${keyOf(at)} BETWEEN ${first} AND CASE WHEN has_ended THEN ${cut(at)} ELSE ${last} END
          ORDER BY ${keyOf(at)} LIMIT ${MAX_READ}
        ) AS d`,
  );
  return `
  now_ := ${clock};
  has_ended := EXISTS (SELECT 1 FROM ${table} WHERE ${end} <= now_);
  -- The rank is the distance, then the number. A version is read at most once for each block. A short text has no probes.
  SELECT ARRAY(
    SELECT rank FROM (
      ${read.join('\n      UNION ALL ')}
    ) AS read WHERE rank < ${MAX_DISTANCE + 1}::bigint << ${NUMBER_BITS}
    ORDER BY rank LIMIT ${all.length * MAX_VERIFIED}
  ), ARRAY(
    SELECT d.number FROM (
      SELECT * FROM ${table} AS d WHERE d.words = words_ AND d.fingerprint = fingerprint_ AND words_ & 2 = 0 -- not blank
      ORDER BY d.number LIMIT most + ${MAX_PASSED}
    ) AS d WHERE ${isOther} LIMIT most
  ) INTO ranks, equal;
  IF cardinality(ranks) > ${MAX_VERIFIED} THEN
    ranks := ARRAY(SELECT DISTINCT rank FROM unnest(ranks) AS near (rank) ORDER BY rank LIMIT ${MAX_VERIFIED});
  END IF;
  IF cardinality(ranks) + cardinality(equal) > 0 THEN
    RETURN QUERY
    SELECT now_, id, resemblance, distance FROM (
      SELECT number, id, distance, min_resemblance,
        coalesce(${resemblanceOf('filled', 'filled_', 'different')}, is_equal::int) AS resemblance
      FROM (
        SELECT d.number, d.id, ${distance}::int AS distance, ${filled('d.minhash')} AS filled,
          ${filled('(d.minhash # minhash_)')} AS different, (d.words, d.fingerprint) = (words_, fingerprint_) AS is_equal,
          CASE WHEN (d.words | words_) & 1 = 1 THEN few_min_resemblance ELSE min_resemblance END AS min_resemblance
        FROM ${table} AS d
        WHERE d.number = ANY (ARRAY(SELECT rank & ${MAX_NUMBER} FROM unnest(ranks) AS near (rank)) || equal) OFFSET 0
      ) AS candidates OFFSET 0
    ) AS verified WHERE resemblance >= min_resemblance
    ORDER BY resemblance DESC, distance, number LIMIT 2 * most;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  now := now_;
  RETURN NEXT;`;
}

/** Returns the statements that create the table and the functions. */
export function schemaOf(given: Settings): string {
  const { name } = given;
  const metadata = metadataOf(given);
  const table = `${name}_documents`;
  return `SELECT pg_advisory_xact_lock(hashtext('nearprint'), hashtext('${name}'));

CREATE TABLE IF NOT EXISTS ${name}_store (name text PRIMARY KEY, scheme text, layout int, blocks text);
INSERT INTO ${name}_store (name, scheme, layout, blocks)
  SELECT '${metadata.name}', '${metadata.scheme}', ${metadata.layout}, '${metadata.blocks}'
  WHERE NOT EXISTS (SELECT 1 FROM ${name}_store);

CREATE TABLE IF NOT EXISTS ${table} (
  number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- in the order of addition
  fingerprint bigint NOT NULL,
  words bigint NOT NULL, -- the hash of the words
  until bigint, -- the end of the lease of a provisional version, in milliseconds since 1970; NULL for a kept version
  expires bigint, -- in milliseconds since 1970; NULL for never
  resemblance float8, -- of a provisional version that is changed: to the kept version
  distance int,
  id text COLLATE "C" NOT NULL, -- with at most one kept and one provisional version
  minhash bit(512) -- NULL for a short text
);
${all
  .map(
    (at) => `CREATE INDEX IF NOT EXISTS ${name}_block${at} ON ${table} ((${keyOf(at)})) WHERE minhash IS NOT NULL;
`,
  )
  .join('')}CREATE UNIQUE INDEX IF NOT EXISTS ${name}_id ON ${table} (id, (until IS NULL));
CREATE INDEX IF NOT EXISTS ${name}_words ON ${table} (words, number);
CREATE INDEX IF NOT EXISTS ${name}_end ON ${table} ((${end})) WHERE ${end} IS NOT NULL;

-- Returns the most similar versions of documents other than "except_", up to twice "most": a document may have two. Without
-- a hit, returns a row with only the time. "probes" has the values of the four blocks, one block after the other.
-- js/stores/bounds.ts has the bounds. All statements see the snapshot of the caller: the function is STABLE.
CREATE OR REPLACE FUNCTION ${name}_search(
  except_ text, fingerprint_ bigint, words_ bigint, minhash_ bit(512), probes bigint[], min_resemblance float8, most bigint
) RETURNS TABLE (now bigint, id text, resemblance float8, distance int) STABLE ${head}
DECLARE
  per_block int := cardinality(probes) / 4;
  filled_ bit(512) := ${filled('minhash_')};
  few_min_resemblance float8 := CASE WHEN min_resemblance > 0 THEN greatest(min_resemblance, ${MIN_BRIEF_RESEMBLANCE})
    ELSE 0 END;
  now_ bigint;
  has_ended boolean;
  ranks bigint[];
  equal bigint[];
BEGIN${searchOf(name)}
END $function$;

-- Removes some ended versions. Returns how many, and the number of ids that are gone.
CREATE OR REPLACE FUNCTION ${name}_prune(OUT removed int, OUT gone int) ${head}
DECLARE
  ids text[];
BEGIN
  WITH removed AS (
    DELETE FROM ${table} WHERE number = ANY (ARRAY(
      SELECT number FROM ${table} WHERE ${end} <= ${clock} ORDER BY ${end} LIMIT ${MAX_PRUNED} FOR UPDATE SKIP LOCKED
    )) RETURNING id
  ) SELECT array_agg(DISTINCT id), count(*) INTO ids, removed FROM removed;
  SELECT count(*) INTO gone FROM unnest(ids) AS given (id)
    WHERE NOT EXISTS (SELECT 1 FROM ${table} AS d WHERE d.id = given.id);
END $function$;

-- Decides what a document is, and keeps it if it is new or changed. Durations are in milliseconds. The status "again" means
-- that a version has ended meanwhile: repeat the call.
CREATE OR REPLACE FUNCTION ${name}_observe(
  id_ text, fingerprint_ bigint, words_ bigint, minhash_ bit(512), probes bigint[], min_resemblance float8, lease bigint,
  expires_in bigint, OUT status text, OUT duplicate_of text, OUT resemblance float8, OUT distance int
) ${head}
DECLARE
  per_block int := greatest(cardinality(probes) / 4, 1);
  kept ${table};
  pending ${table};
  is_repeated boolean;
  is_unchanged boolean;
  now_ bigint;
  before float8;
BEGIN
  ${checkIsolation}
  PERFORM pg_advisory_xact_lock(hashtextextended(id_, hashtext('${name}')));
  SELECT * INTO kept FROM ${table} AS d WHERE d.id = id_ AND d.until IS NULL;
  SELECT * INTO pending FROM ${table} AS d WHERE d.id = id_ AND d.until IS NOT NULL;
  now_ := ${clock};
  is_repeated := coalesce(
    (pending.fingerprint, pending.words) = (fingerprint_, words_) AND pending.until > now_, false);
  is_unchanged := NOT is_repeated AND coalesce(
    (kept.fingerprint, kept.words) = (fingerprint_, words_) AND ${isLive('kept', 'now_')}, false);
  IF NOT is_unchanged OR expires_in IS NOT NULL OR pending.number IS NOT NULL THEN
    ${lockValues(
      name,
      `SELECT unnest(${locksOf('kept')}), false WHERE kept.number IS NOT NULL
      UNION ALL SELECT unnest(${locksOf('pending')}), false WHERE pending.number IS NOT NULL
      UNION ALL SELECT ((at - 1) / per_block << 16 | value)::int, (at - 1) % per_block > 0
        FROM unnest(probes) WITH ORDINALITY AS probe (value, at) WHERE NOT is_repeated AND NOT is_unchanged
      UNION ALL SELECT ${shortLock('words_')}, false WHERE minhash_ IS NULL`,
    )}
  END IF;
  IF is_repeated OR is_unchanged THEN
    -- Locked rows are not pruned.
    IF is_repeated OR expires_in IS NOT NULL OR pending.number IS NOT NULL THEN
      PERFORM 1 FROM ${table} AS d WHERE d.number = CASE WHEN is_repeated THEN pending.number ELSE kept.number END FOR UPDATE;
      now_ := ${clock};
    END IF;
    IF (CASE WHEN is_repeated THEN pending.until ELSE kept.expires END) <= now_ THEN
      status := 'again';
      RETURN;
    END IF;
    IF is_unchanged THEN
      status := 'unchanged';
      IF pending.number IS NOT NULL THEN
        DELETE FROM ${table} AS d WHERE d.number = pending.number;
      END IF;
      IF expires_in IS NOT NULL THEN
        UPDATE ${table} AS d SET expires = now_ + expires_in WHERE d.number = kept.number;
      END IF;
    ELSE
      status := CASE WHEN pending.resemblance IS NULL THEN 'new' ELSE 'changed' END;
      resemblance := pending.resemblance;
      distance := pending.distance;
      IF lease IS NOT NULL THEN
        UPDATE ${table} AS d SET until = now_ + lease WHERE d.number = pending.number;
      ELSE
        DELETE FROM ${table} AS d WHERE d.number = kept.number;
        UPDATE ${table} AS d SET until = NULL, resemblance = NULL, distance = NULL WHERE d.number = pending.number;
      END IF;
    END IF;
  ELSE
    SELECT hit.* INTO now_, duplicate_of, resemblance, distance
      FROM ${name}_search(id_, fingerprint_, words_, minhash_, probes, min_resemblance, 1) AS hit;
    IF kept.number IS NOT NULL AND ${isLive('kept', 'now_')} THEN
      before := coalesce((SELECT ${resemblanceOf('a', 'b', 'different')} FROM (
        SELECT ${filled('kept.minhash')} AS a, ${filled('minhash_')} AS b, ${filled('(kept.minhash # minhash_)')} AS different OFFSET 0
      ) AS bins), 0);
    END IF;
    IF pending.number IS NOT NULL THEN
      DELETE FROM ${table} AS d WHERE d.number = pending.number;
    END IF;
    IF duplicate_of IS NOT NULL AND (before < resemblance) IS NOT FALSE THEN
      status := 'duplicate';
    ELSE
      status := CASE WHEN before IS NULL THEN 'new' ELSE 'changed' END;
      duplicate_of := NULL;
      resemblance := before;
      distance := CASE WHEN before IS NOT NULL THEN bit_count((kept.fingerprint # fingerprint_)::bit(64)) END;
      IF lease IS NULL AND kept.number IS NOT NULL THEN
        DELETE FROM ${table} AS d WHERE d.number = kept.number;
      END IF;
      INSERT INTO ${table} (fingerprint, words, until, expires, resemblance, distance, id, minhash)
        VALUES (fingerprint_, words_, now_ + lease, now_ + expires_in,
          CASE WHEN lease IS NOT NULL THEN before END, CASE WHEN lease IS NOT NULL THEN distance END, id_, minhash_);
    END IF;
  END IF;
  ${prune(name)}
END $function$;

-- Changes distinct ids, and returns those affected. "add" keeps documents, whatever they resemble. "confirm" and "release"
-- settle the provisional versions with this fingerprint and hash of the words, or any if these are NULL. "remove" removes
-- all versions.
CREATE OR REPLACE FUNCTION ${name}_change(
  kind text, ids text[], fingerprints bigint[], words_ bigint[], minhashes bit(512)[], expires_in bigint
) RETURNS SETOF text ${head}
DECLARE
  numbers bigint[];
  now_ bigint;
BEGIN
  ${checkIsolation}
  PERFORM pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended(id, hashtext('${name}')) AS key FROM unnest(ids) AS given (id) ORDER BY key
  ) AS locks;
  -- Locked rows are not pruned.
  PERFORM 1 FROM ${table} AS d WHERE d.id = ANY (ids) AND kind IN ('confirm', 'release') FOR UPDATE;
  ${lockValues(
    name,
    `SELECT unnest(${locksOf('d')}), false FROM ${table} AS d WHERE d.id = ANY (ids)
      UNION ALL SELECT unnest(${locksOf('given')}), false
        FROM unnest(fingerprints, words_, minhashes) AS given (fingerprint, words, minhash) WHERE kind = 'add'`,
  )}
  now_ := ${clock};
  IF kind = 'add' THEN
    DELETE FROM ${table} AS d USING unnest(ids, fingerprints, words_) AS given (id, fingerprint, words)
      WHERE d.id = given.id AND (d.until IS NOT NULL OR d.expires <= now_
        OR (d.fingerprint, d.words) <> (given.fingerprint, given.words));
    IF expires_in IS NOT NULL THEN
      UPDATE ${table} AS d SET expires = now_ + expires_in WHERE d.id = ANY (ids);
    END IF;
    INSERT INTO ${table} (fingerprint, words, expires, id, minhash)
      SELECT fingerprint, words, now_ + expires_in, id, minhash
        FROM unnest(ids, fingerprints, words_, minhashes) WITH ORDINALITY AS given (id, fingerprint, words, minhash, at)
        WHERE NOT EXISTS (SELECT 1 FROM ${table} AS d WHERE d.id = given.id) ORDER BY at;
  ELSIF kind = 'remove' THEN
    RETURN QUERY WITH removed AS (
      DELETE FROM ${table} AS d WHERE d.id = ANY (ids) RETURNING d.id, ${isLive('d', 'now_')} AS is_live
    ) SELECT DISTINCT id FROM removed WHERE is_live;
  ELSE
    numbers := ARRAY(
      SELECT d.number FROM ${table} AS d WHERE d.id = ANY (ids) AND d.until > now_ AND EXISTS (
        SELECT 1 FROM unnest(ids, fingerprints, words_) AS given (id, fingerprint, words)
        WHERE given.id = d.id AND coalesce((given.fingerprint, given.words) = (d.fingerprint, d.words), true)
      )
    );
    RETURN QUERY SELECT d.id FROM ${table} AS d WHERE d.number = ANY (numbers);
    IF kind = 'confirm' THEN
      DELETE FROM ${table} AS d WHERE d.until IS NULL
        AND d.id = ANY (ARRAY(SELECT pending.id FROM ${table} AS pending WHERE pending.number = ANY (numbers)));
      UPDATE ${table} AS d SET until = NULL, resemblance = NULL, distance = NULL WHERE d.number = ANY (numbers);
    ELSE
      DELETE FROM ${table} AS d WHERE d.number = ANY (numbers);
    END IF;
  END IF;
  ${prune(name)}
END $function$;
`;
}
