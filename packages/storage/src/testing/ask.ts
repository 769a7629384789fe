import { isAssayError, type ErrorCode } from "@assay/schemas"
import { expect, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import type { ListOptions, ReadOptions, Storage, StoredFile, WriteOptions } from "../storage.ts"
import type { ContractSubject, StorageContract } from "./contract-subject.ts"
import { inPieces } from "./sample-bytes.ts"

/** Opens a storage with `files` for the current test, and closes it after the test. */
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

/** Runs `work` for each item, for 32 of them at the same time. */
export async function aFewAtATime<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += 32) await Promise.all(items.slice(start, start + 32).map(work))
}

export async function listPaths(storage: Storage, options?: ListOptions): Promise<readonly string[]> {
  const files = await Array.fromAsync(storage.list(options))
  return files.map(({ path }) => path)
}

/**
 * Returns a file as a listing describes it: without its digest if the storage does not know all digests without
 * reading.
 */
export function asListed({ capabilities }: StorageContract, file: StoredFile): StoredFile {
  return capabilities.checksums ? file : { ...file, sha256: expect.toBeOneOf([file.sha256, null]) as string | null }
}

/**
 * Returns a file as expected after a write. Some stores answer a write with their current time, which differs slightly.
 */
export function asWritten(file: StoredFile): StoredFile {
  if (file.updatedAt === null) return file
  // Within five seconds.
  return { ...file, updatedAt: expect.closeTo(file.updatedAt, -4) as number }
}

/**
 * Returns the code of the expected error.
 * @throws any other error, and an error if nothing fails
 */
export async function codeOf(work: Promise<unknown>): Promise<ErrorCode> {
  try {
    await work
  } catch (error) {
    if (isAssayError(error)) return error.code
    throw error
  }
  throw new Error("It did not fail.")
}
