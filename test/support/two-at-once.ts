/** Many processes one after the other take long, all at once are too many for a small machine. */
export async function twoAtOnce<Item>(
  items: readonly Item[],
  check: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = [...items]
  const take = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await check(item)
  }
  await Promise.all([take(), take()])
}
