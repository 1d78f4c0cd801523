<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Money;
use WC_Order;
use WC_Order_Item;
use WC_Tax;

/** An order as Florin's API takes it. */
final class Request
{
    private const LANGUAGES = ['en', 'cy', 'fr', 'de', 'es', 'pl', 'ar'];

    /** @return array<string, mixed> */
    public static function of(WC_Order $order, string $txRef): array
    {
        $currency = $order->get_currency();
        $total = Lines::toMinor((string) $order->get_total(), $currency);
        $number = $order->get_order_number();
        /* translators: %s: order number */
        $title = sprintf(__('Order %s', 'florin-payments'), $number);
        $lines = array_values(array_map(
            static fn (WC_Order_Item $item): array => self::line($order, $item),
            $order->get_items(['line_item', 'shipping', 'fee']),
        ));
        $return = add_query_arg(
            ['wc-api' => 'florin_return', 'order' => $order->get_id(), 'key' => $order->get_order_key()],
            home_url('/'),
        );

        return array_filter([
            'tx_ref' => $txRef,
            'amount' => Money::toDecimal($total, $currency),
            'currency' => $currency,
            'email' => $order->get_billing_email(),
            // Some shops ask for a company or for nothing.
            'first_name' => mb_substr($order->get_billing_first_name() ?: $order->get_billing_company() ?: __('Customer', 'florin-payments'), 0, 100),
            'last_name' => mb_substr($order->get_billing_last_name(), 0, 100),
            'return_url' => $return,
            // An endpoint hears of every payment: without one each payment names its own address.
            'callback_url' => Settings::isConnected(Settings::mode()) ? null : Settings::callbackUrl(),
            'customization' => ['title' => mb_substr($title, 0, 100), 'description' => mb_substr(self::plain(get_bloginfo('name')), 0, 255)],
            'meta' => ['order_id' => (string) $order->get_id(), 'order_number' => $number, 'order' => (new OrderState($order))->mark()],
            'items' => Lines::items($lines, $total, $currency, __('Rounding', 'florin-payments')),
        ], static fn (mixed $value): bool => $value !== null && $value !== '' && $value !== []);
    }

    /** @return array<string, string> */
    public static function saving(WC_Order $order, string $agreement): array
    {
        return $agreement === '' ? [] : ['save' => $agreement, 'customer_ref' => Charge::customerRef(Settings::prefix(), $order->get_customer_id())];
    }

    /** @return array{name: string, quantity: int, minor: int, tax_rate?: string, tax_name?: string} */
    private static function line(WC_Order $order, WC_Order_Item $item): array
    {
        $currency = $order->get_currency();
        $text = static fn (mixed $amount): string => (string) wc_format_decimal((string) $amount, 6);
        $minor = Lines::toMinor($text($item->get_total()), $currency) + Lines::toMinor($text($item->get_total_tax()), $currency);
        $line = ['name' => self::plain($item->get_name()), 'quantity' => max(1, (int) $item->get_quantity()), 'minor' => $minor];
        $rates = array_keys(array_filter((array) ($item->get_taxes()['total'] ?? []), static fn (mixed $tax): bool => (float) $tax !== 0.0));
        // Florin shows one rate per line: with two, or a rate that was deleted, none is better than a wrong one.
        if (count($rates) === 1) {
            $percent = rtrim(rtrim((string) wc_format_decimal((string) WC_Tax::get_rate_percent_value($rates[0]), 4), '0'), '.');
            if ($percent !== '' && $percent !== '0') {
                $line['tax_rate'] = $percent;
                $line['tax_name'] = mb_substr((string) WC_Tax::get_rate_label($rates[0]), 0, 30);
            }
        }

        return $line;
    }

    /** WordPress keeps names with tags and entities in them: Oak &amp; Co. */
    private static function plain(string $name): string
    {
        return html_entity_decode(wp_strip_all_tags($name), ENT_QUOTES, 'UTF-8');
    }

    /** The checkout in the language of the shop's page, if Florin has it. */
    public static function inLanguage(string $checkoutUrl): string
    {
        $language = substr(determine_locale(), 0, 2);

        return in_array($language, self::LANGUAGES, true) ? add_query_arg('lang', $language, $checkoutUrl) : $checkoutUrl;
    }
}
