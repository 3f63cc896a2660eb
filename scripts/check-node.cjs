// Runs before the scripts, in ES5: an old Node cannot parse the scripts themselves.
var wanted = require('../package.json').engines.node.replace('>=', '');
var parts = wanted.split('.').map(Number);
var found = process.versions.node.split('.').map(Number);

if (found[0] < parts[0] || (found[0] === parts[0] && found[1] < parts[1])) {
  console.error(
    'nearprint: Node ' +
      wanted +
      ' or newer is needed, but this is ' +
      process.versions.node +
      ': see https://nodejs.org',
  );
  process.exit(1);
}
