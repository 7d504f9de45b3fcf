/** Runs `use` as a component's effect would. Returns a function that ends it. */
export function effect(use: () => void): () => void {
  return $effect.root(() => {
    $effect(use);
  });
}
