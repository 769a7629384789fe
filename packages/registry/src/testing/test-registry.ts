import { randomBytes } from "node:crypto"
import type { DatabaseKind } from "@assay/database/testing"
import { createTestOptions, type TestOptions } from "@assay/filesets/testing"
import { openRegistry } from "../open-registry.ts"
import type { RegistryOptions } from "../registry-options.ts"
import type { Registry } from "../registry.ts"

export interface TestRegistry extends Omit<TestOptions, "options" | "closeLater"> {
  readonly registry: Registry
  readonly options: RegistryOptions
  /** Opens another registry on the same database and storage. */
  openAnother(overrides?: Partial<RegistryOptions>): Promise<Registry>
}

/** Creates a registry on a new database and a new folder. */
export async function createTestRegistry(
  kind: DatabaseKind,
  overrides: Partial<RegistryOptions> = {},
): Promise<TestRegistry> {
  const { closeLater, ...test } = await createTestOptions(kind)
  const options: RegistryOptions = {
    ...test.options,
    encryptionKeys: [{ name: "first", key: new Uint8Array(32).fill(1) }],
    randomBytes,
    ...overrides,
  }
  return {
    ...test,
    options,
    registry: await closeLater(openRegistry(options)),
    openAnother: (others = {}) => closeLater(openRegistry({ ...options, ...others })),
  }
}
