import { HASH_BYTES } from "./xet-hash.ts"

// The layout of shards, as clients write and read them: https://huggingface.co/docs/xet/shard

/** The bytes with which a shard begins. The version follows as 8 bytes. */
export const MAGIC = Buffer.from("48465265706f4d6574614461746100556967456a7b815783a5bdd95ccdd14aa9", "hex")
export const VERSION = 2
export const HEADER_BYTES = 48
/** Size of every entry: of files, terms, proofs, digests, xorbs and chunks. */
export const ENTRY_BYTES = 48
/** The hash of the entry that ends a section. */
export const SECTION_END = Buffer.alloc(HASH_BYTES, 0xff)
