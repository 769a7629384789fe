import { fileURLToPath } from "node:url"
import { testSettings } from "@assay/tsconfig/vitest"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    ...testSettings({ maxWorkers: 2 }),
    globalSetup: fileURLToPath(import.meta.resolve("@assay/testkit/postgres-setup")),
  },
})
