/** A checksum that takes its bytes in pieces. */
export interface Checksum {
  update(bytes: Uint8Array): void
  digest(): Buffer
}

/** Returns a value that is there: the compiler does not know it. */
function valueAt(values: Uint8Array | Uint32Array, index: number): number {
  return values[index] ?? 0
}

/** Bytes that one step takes. */
const SLICES = 8

/** Makes the tables of a reflected CRC of 32 bits: table `n` is for a byte that `n` others follow in a step. */
function tablesOf32(polynomial: number): readonly Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
    return crc
  })
  const tables = [first]
  for (let slice = 1; slice < SLICES; slice++) {
    const before = tables[slice - 1] ?? first
    tables.push(before.map((crc) => (crc >>> 8) ^ (first[crc & 0xff] ?? 0)))
  }
  return tables
}

/** Returns a function that begins a reflected CRC of 32 bits, eight bytes a step. The tables are made once. */
export function createCrc32(polynomial: number): () => Checksum {
  const [a, b, c, d, e, f, g, h] = tablesOf32(polynomial) as [...Uint32Array[]] as Tables
  return () => {
    let crc = -1
    return {
      update(bytes) {
        const end = bytes.length - (bytes.length % SLICES)
        let at = 0
        for (; at < end; at += SLICES) {
          crc ^=
            valueAt(bytes, at) |
            (valueAt(bytes, at + 1) << 8) |
            (valueAt(bytes, at + 2) << 16) |
            (valueAt(bytes, at + 3) << 24)
          crc =
            valueAt(h, crc & 0xff) ^
            valueAt(g, (crc >>> 8) & 0xff) ^
            valueAt(f, (crc >>> 16) & 0xff) ^
            valueAt(e, crc >>> 24) ^
            valueAt(d, valueAt(bytes, at + 4)) ^
            valueAt(c, valueAt(bytes, at + 5)) ^
            valueAt(b, valueAt(bytes, at + 6)) ^
            valueAt(a, valueAt(bytes, at + 7))
        }
        for (; at < bytes.length; at++) crc = (crc >>> 8) ^ valueAt(a, (crc ^ valueAt(bytes, at)) & 0xff)
      },
      digest() {
        const result = Buffer.alloc(4)
        result.writeUInt32BE(~crc >>> 0)
        return result
      },
    }
  }
}

type Tables = [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array]

/** The lower and the upper half of the values of a table of 64 bits. */
interface HalfTables {
  readonly low: Uint32Array
  readonly high: Uint32Array
}

function tablesOf64(polynomial: bigint): readonly HalfTables[] {
  const first = Array.from({ length: 256 }, (_, byte) => {
    let crc = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1n) === 1n ? (crc >> 1n) ^ polynomial : crc >> 1n
    return crc
  })
  const tables = [first]
  for (let slice = 1; slice < SLICES; slice++) {
    const before = tables[slice - 1] ?? first
    tables.push(before.map((crc) => (crc >> 8n) ^ (first[Number(crc & 0xffn)] ?? 0n)))
  }
  return tables.map((table) => ({
    low: Uint32Array.from(table, (crc) => Number(crc & 0xffffffffn)),
    high: Uint32Array.from(table, (crc) => Number(crc >> 32n)),
  }))
}

/** Returns a function that begins a reflected CRC of 64 bits, eight bytes a step. The tables are made once. */
export function createCrc64(polynomial: bigint): () => Checksum {
  const tables = tablesOf64(polynomial)
  const low = tables.map((table) => table.low)
  const high = tables.map((table) => table.high)
  return () => {
    let lower = -1
    let upper = -1
    const none = new Uint32Array(0)
    const byteAt = (slice: number, byte: number) => {
      lower ^= valueAt(low[slice] ?? none, byte)
      upper ^= valueAt(high[slice] ?? none, byte)
    }
    return {
      update(bytes) {
        const end = bytes.length - (bytes.length % SLICES)
        let at = 0
        for (; at < end; at += SLICES) {
          const first =
            lower ^
            (valueAt(bytes, at) |
              (valueAt(bytes, at + 1) << 8) |
              (valueAt(bytes, at + 2) << 16) |
              (valueAt(bytes, at + 3) << 24))
          const second =
            upper ^
            (valueAt(bytes, at + 4) |
              (valueAt(bytes, at + 5) << 8) |
              (valueAt(bytes, at + 6) << 16) |
              (valueAt(bytes, at + 7) << 24))
          lower = 0
          upper = 0
          byteAt(7, first & 0xff)
          byteAt(6, (first >>> 8) & 0xff)
          byteAt(5, (first >>> 16) & 0xff)
          byteAt(4, first >>> 24)
          byteAt(3, second & 0xff)
          byteAt(2, (second >>> 8) & 0xff)
          byteAt(1, (second >>> 16) & 0xff)
          byteAt(0, second >>> 24)
        }
        for (; at < bytes.length; at++) {
          const index = (lower ^ valueAt(bytes, at)) & 0xff
          lower = (lower >>> 8) | (upper << 24)
          upper >>>= 8
          byteAt(0, index)
        }
      },
      digest() {
        const result = Buffer.alloc(8)
        result.writeUInt32BE(~upper >>> 0, 0)
        result.writeUInt32BE(~lower >>> 0, 4)
        return result
      },
    }
  }
}
