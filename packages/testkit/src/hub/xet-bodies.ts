import { createHash } from "node:crypto"
import { fileHash, getChunks, hashToHex, hexToBytes, verificationHash, xorbHash } from "@huggingface/xetchunk-wasm"

/** A file as a client of Xet sends it. */
export interface XetBodies {
  readonly xorb: Buffer
  readonly xorbHash: string
  readonly fileHash: string
  readonly shard: Buffer
  readonly sha256: string
  readonly size: number
  readonly firstChunk: string
}

interface Changes {
  readonly sha256?: string
  readonly fileHash?: string
  readonly proof?: Uint8Array
  readonly first?: number
  readonly end?: number
  readonly size?: number
  readonly xorbHash?: string
}

/** Returns what a client sends for a file in one xorb of chunks that are not compressed. The shard has the values in `changes` instead of the right ones. */
export function xetBodies(bytes: Buffer, changes: Changes = {}): XetBodies {
  const chunks = getChunks(bytes)
  let start = 0
  const packed = chunks.map(({ length }) => {
    const chunk = bytes.subarray(start, (start += length))
    const head = Buffer.alloc(8)
    head.writeUIntLE(length, 1, 3)
    head.writeUIntLE(length, 5, 3)
    return Buffer.concat([head, chunk])
  })
  const xorb = hashToHex(xorbHash(chunks))
  const file = hashToHex(fileHash(chunks))
  const sha256 = createHash("sha256").update(bytes).digest("hex")
  const numbers = [0, changes.size ?? bytes.length, changes.first ?? 0, changes.end ?? chunks.length]
  const shard = Buffer.concat([
    MAGIC,
    longs(2, 0),
    hexToBytes(changes.fileHash ?? file),
    ints(0xc0000000, 1, 0, 0),
    hexToBytes(changes.xorbHash ?? xorb),
    ints(...numbers),
    changes.proof ?? verificationHash(chunks.map(({ hash }) => hash)),
    longs(0, 0),
    hexToBytes(changes.sha256 ?? sha256),
    longs(0, 0),
    END,
    END,
  ])
  const firstChunk = chunks[0] === undefined ? "" : hashToHex(chunks[0].hash)
  return { xorb: Buffer.concat(packed), xorbHash: xorb, fileHash: file, shard, sha256, size: bytes.length, firstChunk }
}

const MAGIC = Buffer.from("48465265706f4d6574614461746100556967456a7b815783a5bdd95ccdd14aa9", "hex")
const END = Buffer.concat([Buffer.alloc(32, 0xff), Buffer.alloc(16)])

function ints(...numbers: number[]): Buffer {
  return Buffer.concat(
    numbers.map((number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(number)
      return bytes
    }),
  )
}

function longs(...numbers: number[]): Buffer {
  return ints(...numbers.flatMap((number) => [number, 0]))
}
