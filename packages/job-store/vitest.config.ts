import { testSettings } from "@assay/tsconfig/vitest"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    ...testSettings({ maxWorkers: 2 }),
    globalSetup: ["../database/src/testing/postgres-setup.ts", "../database/src/testing/sqlite-setup.ts"],
  },
})
