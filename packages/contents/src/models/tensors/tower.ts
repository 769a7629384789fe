const TOWER = /(^|\.)(vision\w*|visual\w*|vit|audio\w*|image_\w+|img_\w+|speech\w*|multi_modal_projector)\./

/** Whether a weight belongs to a tower for images or sound, whose layers say nothing about those of the text model. */
export function isOfTower(name: string): boolean {
  return TOWER.test(name)
}
