//! Readers of the generated tables, compact columns of bytes that are expanded at first use.

use alloc::vec::Vec;

/// The unread rest of a column.
pub(crate) struct Column(pub &'static [u8]);

impl Column {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let (&byte, rest) = self.0.split_first().expect("a column ends too early");
        self.0 = rest;
        byte
    }

    /// Reads a variable-length number: seven bits a byte, the most significant first; bit 7 means that more bytes follow.
    pub fn number(&mut self) -> u32 {
        let mut number = 0;
        loop {
            let byte = self.byte();
            number = number << 7 | u32::from(byte & 0x7F);
            if byte < 0x80 {
                return number;
            }
        }
    }

    /// Reads a difference and adds it to `value`. The least significant bit of the number is the sign.
    pub fn step(&mut self, value: &mut u32) {
        let number = self.number();
        let difference = (number >> 1) ^ (number & 1).wrapping_neg();
        *value = value.wrapping_add(difference);
    }

    /// Reads the length of a column, then the column.
    pub fn column(&mut self) -> Column {
        let len = self.number() as usize;
        let (column, rest) = self.0.split_at(len);
        self.0 = rest;
        Column(column)
    }
}

/// The number of bits of a property.
const BITS: u32 = 3;

/// A property of all characters, as runs of characters with equal values.
pub(crate) struct Runs {
    /// The first code point of each run, and in the low [`BITS`] bits its value.
    starts: Vec<u32>,
}

impl Runs {
    /// Reads runs that cover all code points. A run is one number: its value in the low `BITS` bits, its length above.
    pub fn read(mut column: Column) -> Self {
        let (mut starts, mut code) = (Vec::new(), 0);
        while !column.is_empty() {
            let run = column.number();
            let len = run >> BITS;
            starts.push(code << BITS | run ^ len << BITS);
            code += len;
        }
        Runs { starts }
    }

    /// Returns the value of a character.
    #[inline]
    pub fn value(&self, c: char) -> u32 {
        let run = self.starts.partition_point(|start| start >> BITS <= u32::from(c)) - 1;
        self.starts[run] & !(u32::MAX << BITS)
    }
}
