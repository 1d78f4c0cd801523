import type { Module } from '../module.ts'
import { linkStyles } from './checkout/page.ts'
import { addLinks } from './checkout/routes.ts'
import { linkRoutes } from './dashboard/handlers.ts'
import { linkData } from './data.ts'
import type { Linking } from './linking.ts'
import { linksJob } from './settle.ts'
import { readTopLinks } from './top-links.ts'

export const links: Module = {
  name: 'links',
  tables: ['links', 'link_payments'],
  data: linkData,
  styles: [linkStyles],
  part: { order: 70, topLinks: readTopLinks },
  open(given) {
    const linking: Linking = given
    return {
      addRoutes: (server) => addLinks(server, { ...given, linking }),
      jobs: [linksJob(linking)],
      pages: () => linkRoutes(linking),
    }
  },
}
