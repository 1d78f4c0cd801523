<?php
/**
 * Plugin Name: Florin for WooCommerce
 * Description: Take payments with your own Florin.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 10.9
 * License: Apache-2.0
 * Text Domain: florin-payments
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

define('FLORIN_PAYMENTS_FILE', __FILE__);

// The zip has the client in lib; a checkout has it beside the plugins.
spl_autoload_register(static function (string $class): void {
    $folders = str_starts_with($class, 'FlorinWoo\\')
        ? [__DIR__ . '/src']
        : (str_starts_with($class, 'Florin\\') ? [__DIR__ . '/lib', dirname(__DIR__, 2) . '/clients/php/src'] : []);
    $path = str_replace('\\', '/', substr($class, strpos($class, '\\') + 1)) . '.php';
    foreach ($folders as $folder) {
        if (is_file("$folder/$path")) {
            require_once "$folder/$path";

            return;
        }
    }
});

add_action('before_woocommerce_init', static function (): void {
    if (class_exists(Automattic\WooCommerce\Utilities\FeaturesUtil::class)) {
        foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
            Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility($feature, __FILE__, true);
        }
    }
});

add_action('plugins_loaded', static function (): void {
    if (class_exists('WC_Payment_Gateway')) {
        FlorinWoo\Plugin::start();
    }
});
