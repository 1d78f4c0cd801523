/** Where the collections are downloaded. */
export const collectionPaths = {
  postman: '/docs/florin.postman_collection.json',
  bruno: '/docs/florin.bruno.zip',
} as const
