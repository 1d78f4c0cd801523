<?php

declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

// Keys and secrets go. The prefix of the shop's tx_refs stays: installed again, the plugin must still know its orders.
foreach (['woocommerce_florin_settings', 'florin_payments_endpoints', 'florin_payments_deleted'] as $name) {
    delete_option($name);
}
global $wpdb;
foreach ($wpdb->get_col($wpdb->prepare("select option_name from $wpdb->options where option_name like %s", $wpdb->esc_like('florin_payments_unexpected_') . '%')) as $name) {
    delete_option($name);
}
