<?php

declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

// Keys and secrets go. The prefix of the shop's tx_refs stays: installed again, the plugin must still know its orders.
foreach (['woocommerce_florin_settings', 'florin_payments_endpoints'] as $name) {
    delete_option($name);
}
