//! Readers of the generated tables, which are columns of bytes: they are small in the source, and expanded at first use.

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
        let magnitude = (number >> 1) ^ (number & 1).wrapping_neg();
        *value = value.wrapping_add(magnitude);
    }
}
