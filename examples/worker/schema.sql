-- A document has one row for each key that blockKeys returns for its fingerprint.
CREATE TABLE IF NOT EXISTS prints (
  key INTEGER NOT NULL, -- below 2^53, so exact in JavaScript
  id TEXT NOT NULL,
  print TEXT NOT NULL, -- 16 hexadecimal digits, since D1 rounds 64-bit integers
  PRIMARY KEY (key, id)
) WITHOUT ROWID;
