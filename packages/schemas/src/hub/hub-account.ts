import { Type } from "@sinclair/typebox"
import { enumeration } from "../records/field-types.ts"

/** The hub's names of roles. */
const role = enumeration(["read", "write", "admin"])

/** The sender of a request to the hub endpoint. */
export const HubAccount = Type.Object(
  {
    type: Type.Literal("user"),
    id: Type.String(),
    name: Type.String({ description: "The id of the token; `anonymous` if the server requires none." }),
    fullname: Type.String(),
    isPro: Type.Boolean(),
    canPay: Type.Boolean(),
    orgs: Type.Array(
      Type.Object({
        type: Type.Literal("org"),
        id: Type.String(),
        name: Type.String(),
        fullname: Type.String(),
        roleInOrg: role,
      }),
      { description: "The workspaces that the token may see." },
    ),
    auth: Type.Object({
      type: Type.Literal("access_token"),
      accessToken: Type.Object({ displayName: Type.String(), role }),
    }),
  },
  { $id: "HubAccount" },
)
