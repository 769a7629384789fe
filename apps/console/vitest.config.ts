import { testSettings } from "@assay/tsconfig/vitest"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    ...testSettings({ timeout: 180_000, maxWorkers: 1 }),
    expect: { poll: { timeout: 60_000 } },
    globalSetup: "src/testing/console-setup.ts",
  },
})
