import { fileURLToPath } from "node:url"
import { testSettings } from "@assay/tsconfig/vitest"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    ...testSettings({ maxWorkers: 2, timeout: 60_000 }),
    globalSetup: [
      fileURLToPath(import.meta.resolve("@assay/testkit/postgres-setup")),
      fileURLToPath(new URL("src/testing/database-setup.ts", import.meta.url)),
    ],
  },
})
