//! Fragments of an incoming WebSocket message (RFC 6455, section 5.4). tungstenite puts any number of them together, so
//! a client could send empty ones forever.

/// Maximum number of fragments of a message.
const MAX_FRAGMENTS: u32 = 1_000;

/// Parser of a client's frames, which counts the fragments of the current message.
#[derive(Debug, Default)]
pub(super) struct FragmentCounter {
    /// Beginning of a frame's head, which has fourteen bytes at most: two, a length of eight, and a mask.
    head: Vec<u8>,
    /// Bytes left of the current frame's content.
    content: u64,
    fragments: u32,
}

impl FragmentCounter {
    /// Parses received bytes, and returns whether the message has no more fragments than it may.
    pub(super) fn parse(&mut self, bytes: &[u8]) -> bool {
        let mut rest = bytes;
        while let Some((first, others)) = rest.split_first() {
            if self.content > 0 {
                let size = usize::try_from(self.content).unwrap_or(usize::MAX).min(rest.len());
                self.content -= size as u64;
                rest = rest.get(size..).unwrap_or_default();
                continue;
            }
            self.head.push(*first);
            rest = others;
            if let Some(length) = content_length(&self.head) {
                self.count_frame();
                self.content = length;
                self.head.clear();
            }
        }
        self.fragments <= MAX_FRAGMENTS
    }

    /// Counts a frame by its opcode: a continuation, or the first frame of a message. Others come in between.
    fn count_frame(&mut self) {
        match self.head.first().map(|byte| byte & 0x0f) {
            Some(0) => self.fragments += 1,
            Some(1 | 2) => self.fragments = 1,
            _ => {}
        }
    }
}

/// Returns the length of a frame's content; `None` if its head is not complete.
fn content_length(head: &[u8]) -> Option<u64> {
    let second = *head.get(1)?;
    let mask = if second & 0x80 == 0 { 0 } else { 4 };
    let (size, length) = match second & 0x7f {
        126 => (4, u64::from(u16::from_be_bytes(head.get(2..4)?.try_into().ok()?))),
        127 => (10, u64::from_be_bytes(head.get(2..10)?.try_into().ok()?)),
        short => (2, u64::from(short)),
    };
    if head.len() == size + mask { Some(length) } else { None }
}

#[cfg(test)]
mod tests {
    use super::{FragmentCounter, MAX_FRAGMENTS};

    /// Returns a masked frame.
    fn frame(first: u8, content: usize) -> Vec<u8> {
        let mut bytes = match content {
            0..126 => vec![first, 0x80 | u8::try_from(content).unwrap()],
            126..65_536 => [&[first, 0xfe][..], &u16::try_from(content).unwrap().to_be_bytes()].concat(),
            _ => [&[first, 0xff][..], &(content as u64).to_be_bytes()].concat(),
        };
        // The content looks like heads of continuations.
        bytes.extend([0x80; 4]);
        bytes.extend(std::iter::repeat_n(0, content));
        bytes
    }

    #[test]
    fn fragments_of_a_message_are_bounded() {
        let whole = [frame(0x81, 5), frame(0x82, 300), frame(0x81, 70_000)].concat();
        let fragments = |count: u32| {
            let rest = (1..count).flat_map(|_| [frame(0, 0), frame(0x89, 2)].concat());
            frame(1, 3).into_iter().chain(rest).collect::<Vec<_>>()
        };
        for piece in [1, 7, 4_096] {
            let mut counter = FragmentCounter::default();
            for _ in 0..3 {
                let allowed = [whole.clone(), fragments(MAX_FRAGMENTS)].concat();
                assert!(allowed.chunks(piece).all(|piece| counter.parse(piece)));
            }
            assert!(!fragments(MAX_FRAGMENTS + 1).chunks(piece).all(|piece| counter.parse(piece)));
        }
    }
}
