const { defineConfig } = require('@medusajs/framework/utils')
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: '/127.0.0.1/',
      adminCors: '/127.0.0.1/',
      authCors: '/127.0.0.1/',
      jwtSecret: 'try',
      cookieSecret: 'try',
    },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        webhook_delay: 200,
        providers: [
          {
            resolve: 'florin-medusa',
            id: 'florin',
            options: {
              baseUrl: process.env.FLORIN_URL,
              key: process.env.FLORIN_KEY,
              webhookSecret: process.env.FLORIN_WEBHOOK_SECRET,
            },
          },
        ],
      },
    },
  ],
})
