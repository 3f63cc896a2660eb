-- A document is filed under each of the keys that blockKeys gives for its fingerprint.
CREATE TABLE IF NOT EXISTS prints (
  key INTEGER NOT NULL, -- below 2^53, so that it is exact in JavaScript
  id TEXT NOT NULL,
  print TEXT NOT NULL, -- 16 hexadecimal digits: D1 would round an integer of 64 bits
  PRIMARY KEY (key, id)
) WITHOUT ROWID;
