import * as fc from "fast-check"
import { expect } from "vitest"
import { createBundle, type CreateBundleOptions } from "../bundle/create-bundle.ts"
import type { SideOfBundle } from "../bundle/side-input.ts"
import { verifyBundle, type Verification, type VerifyOptions } from "../verify/verify-bundle.ts"
import { createKeys, fileOf, testPorts } from "./side-of.ts"

const keys = createKeys()
const { trusted } = keys
export const { key } = keys

/** Returns the bytes of a bundle. */
export async function bundleOf(
  inputs: readonly SideOfBundle[],
  over: Partial<CreateBundleOptions> = {},
): Promise<Buffer> {
  const own = { key, placement: "inside", redacted: false, margin: 0, allowChanged: false, gates: [] } as const
  const { bytes } = await createBundle(inputs, { ...testPorts(), ...own, assay: "0.2.0", createdAt: 0, ...over })
  return Buffer.concat((await Array.fromAsync(bytes())).map((piece) => Buffer.from(piece)))
}

/** Verifies a bundle that `key` has signed. */
export function verify(bundle: Buffer, over: Partial<VerifyOptions> = {}): Promise<Verification> {
  return verifyBundle(fileOf(bundle), { ...testPorts(), trusted: [trusted], rows: [], ...over })
}

/** Changes a random byte of a bundle: it has to be refused, or the place has to be named. */
export function byteChanges(bundle: Buffer): fc.IAsyncProperty<[[number, number]]> {
  const change = fc.tuple(fc.nat(bundle.length - 1), fc.integer({ min: 1, max: 255 }))
  return fc.asyncProperty(change, async ([at, by]) => {
    const changed = Buffer.from(bundle)
    changed[at] = ((changed[at] ?? 0) + by) % 256
    const found = await verify(changed).catch((error: unknown) => error as Error)
    if (found instanceof Error) expect(found).toMatchObject({ code: "bad_document" })
    else expect([found.valid, found.differences[0]?.what]).toEqual([false, expect.any(String)])
  })
}
