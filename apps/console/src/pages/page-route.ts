import { createRoute, lazyRouteComponent, type AnyRoute } from "@tanstack/react-router"
import type { ComponentType } from "react"

/** A module with one page. */
export type PageModule = Readonly<Record<string, ComponentType>>

/** Returns the page `name` of a module, at an address. The module is loaded when the page is opened. */
export function pageRoute(root: AnyRoute, path: string, load: () => Promise<PageModule>, name: string): AnyRoute {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, name) })
}
