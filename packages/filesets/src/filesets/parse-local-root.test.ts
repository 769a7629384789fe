import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { parseLocalRoot } from "./parse-local-root.ts"

it.each([
  ["/data/shared", { path: "/data/shared" }],
  ["/data/team-a=team-a", { path: "/data/team-a", workspaces: ["team-a"] }],
  ["/data/x=team-a|team-b", { path: "/data/x", workspaces: ["team-a", "team-b"] }],
  ["/data/x=team-a | team-b", { path: "/data/x", workspaces: ["team-a", "team-b"] }],
  ["/data/run=1", { path: "/data/run=1" }],
  ["/data/a=b/c", { path: "/data/a=b/c" }],
  ["/data/mode=train=*", { path: "/data/mode=train" }],
  ["/data/mode=train=team-a", { path: "/data/mode=train", workspaces: ["team-a"] }],
  ["=team-a", { path: "=team-a" }],
])(
  "parseLocalRoot returns the folder of '%s' and the workspaces that may use it",
  verifies("storage.local.root-workspaces"),
  (text, root) => {
    expect(parseLocalRoot(text)).toEqual(root)
  },
)
