import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "./records/field-types.ts"

/** The default address of a server, for the server and for its clients. */
export const DEFAULT_SERVER_URL = "http://127.0.0.1:8080"

export const ServiceStatus = Type.Object(
  {
    status: Type.String({
      description:
        "`healthy`, or `unhealthy` if the registry can't be used. Other checks that are not ok are warnings.",
    }),
    version: Type.String(),
    checks: Type.Record(AnyName, Type.Object({ ok: Type.Boolean(), detail: Type.Optional(Type.String()) })),
  },
  { $id: "ServiceStatus" },
)
export type ServiceStatus = Static<typeof ServiceStatus>

export const ClusterInfo = Type.Object(
  { platform_version: Type.String(), revision: Type.String() },
  { $id: "ClusterInfo" },
)
export type ClusterInfo = Static<typeof ClusterInfo>
