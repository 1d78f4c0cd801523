// Florin in the checkout made of blocks. It has no fields: the customer pays on the page of Florin.
{
  const { registerPaymentMethod } = window.wc.wcBlocksRegistry
  const { decodeEntities } = window.wp.htmlEntities
  const { createElement } = window.wp.element
  const settings = window.wc.wcSettings.getSetting('florin_data', {})
  const title = decodeEntities(settings.title || 'Florin')
  const features = settings.supports || ['products']
  const Content = () => decodeEntities(settings.description || '')

  registerPaymentMethod({
    name: 'florin',
    label: createElement('span', null, title),
    ariaLabel: title,
    content: createElement(Content),
    edit: createElement(Content),
    canMakePayment: () => true,
    // Saved methods are for the classic checkout: here, orders placed with one never left the page.
    supports: { showSavedCards: false, showSaveOption: false, features },
  })
}
