// Cuts bytes into pieces of 1 to 7, always also inside a UTF-8 character and between \r and \n: the places where
// a careless stream reader breaks.

const longestPiece = 7;
const carriageReturn = 0x0d;
const firstLeadByte = 0xc0;

export function* splitBytes(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  let wanted = 1;
  for (let position = 0; position < bytes.length; position += 1) {
    const byte = bytes[position] ?? 0;
    const full = position - start + 1 >= wanted;
    if (!full && byte !== carriageReturn && byte < firstLeadByte) continue;
    yield bytes.subarray(start, position + 1);
    start = position + 1;
    wanted = (wanted % longestPiece) + 1;
  }
  if (start < bytes.length) yield bytes.subarray(start);
}
