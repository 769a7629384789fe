// `pnpm pack` loads this file and writes the manifest that it returns into the tarball.
import { publishedManifest } from "./published-manifest.ts"

export const hooks = { beforePacking: (manifest) => publishedManifest(manifest) }
