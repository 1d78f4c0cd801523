<?php

declare(strict_types=1);

namespace FlorinWoo;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** Florin in the checkout made of blocks. */
final class Blocks extends AbstractPaymentMethodType
{
    protected $name = 'florin';

    public function initialize(): void
    {
        $this->settings = get_option('woocommerce_florin_settings', []);
    }

    public function is_active(): bool
    {
        $gateways = WC()->payment_gateways()->payment_gateways();

        return isset($gateways['florin']) && $gateways['florin']->is_available();
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        wp_register_script(
            'florin-blocks',
            plugins_url('assets/blocks.js', FLORIN_PAYMENTS_FILE),
            ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'],
            '0.1.0',
            true,
        );

        return ['florin-blocks'];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        return [
            'title' => $this->get_setting('title'),
            'description' => $this->get_setting('description'),
            'supports' => Gateway::features(),
        ];
    }
}
