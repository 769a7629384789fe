import { isAssayError, type ErrorCode } from "@assay/schemas"
import { expect, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import type { ListOptions, ReadOptions, Storage, StoredFile, WriteOptions } from "../storage.ts"
import type { ContractSubject, StorageContract } from "./contract-subject.ts"
import { inPieces } from "./sample-bytes.ts"

/** Opens a storage with `files` for the test that runs now, and closes it with the test. */
export async function openFor(
  contract: StorageContract,
  files: Readonly<Record<string, Uint8Array>> = {},
): Promise<ContractSubject> {
  const subject = await contract.open(files)
  onTestFinished(() => subject.close())
  return subject
}

export async function readAll(storage: Storage, path: string, options?: ReadOptions): Promise<Uint8Array> {
  const { bytes } = await storage.read(parseFilePath(path), options)
  return Buffer.concat(await Array.fromAsync(bytes))
}

export async function writeAll(
  storage: Storage,
  path: string,
  bytes: Uint8Array,
  options?: WriteOptions,
): Promise<StoredFile> {
  return storage.write(parseFilePath(path), inPieces(bytes), options)
}

/** Writes files, a few at a time. */
export async function writeFiles(storage: Storage, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  await aFewAtATime(Object.entries(files), ([path, bytes]) => writeAll(storage, path, bytes))
}

/** Does something with each item, with 32 of them at the same time. */
export async function aFewAtATime<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += 32) await Promise.all(items.slice(start, start + 32).map(work))
}

export async function listPaths(storage: Storage, options?: ListOptions): Promise<readonly string[]> {
  const files = await Array.fromAsync(storage.list(options))
  return files.map(({ path }) => path)
}

/** A file as a listing tells of it: where not all digests are known without reading, this one may be missing. */
export function asListed({ capabilities }: StorageContract, file: StoredFile): StoredFile {
  return capabilities.checksums ? file : { ...file, sha256: expect.toBeOneOf([file.sha256, null]) as string | null }
}

/** A file of which a write told: some stores answer a write with their time alone, which is a moment off. */
export function asWritten(file: StoredFile): StoredFile {
  if (file.updatedAt === null) return file
  // Up to five seconds.
  return { ...file, updatedAt: expect.closeTo(file.updatedAt, -4) as number }
}

/** The code with which something fails. @throws what is no `AssayError`, and where nothing fails */
export async function codeOf(work: Promise<unknown>): Promise<ErrorCode> {
  try {
    await work
  } catch (error) {
    if (isAssayError(error)) return error.code
    throw error
  }
  throw new Error("It did not fail.")
}
