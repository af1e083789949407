// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A vault for fees
/// @notice Collects one kind of fee and pays it out to its recipient when somebody asks.
/// @dev Recipient and minimum are set by the genesis state. Four of these stand on the chain, one for each kind of fee.
contract FeeVault {
    event Withdrawal(uint256 value, address to, address from);

    /// @notice The vault holds `balance`; it pays out from `minimum` on.
    error BelowMinimum(uint256 balance, uint256 minimum);

    /// @notice Everything that was ever paid out.
    uint256 public totalProcessed;

    /// @notice Who the fees go to.
    address public recipient;

    /// @notice The vault pays out from this balance on.
    uint256 public minWithdrawalAmount;

    receive() external payable {}

    /// @notice Pays everything to the recipient.
    function withdraw() external returns (uint256 value) {
        value = address(this).balance;
        if (value < minWithdrawalAmount) revert BelowMinimum(value, minWithdrawalAmount);
        totalProcessed += value;
        emit Withdrawal(value, recipient, msg.sender);
        (bool sent,) = recipient.call{value: value}("");
        require(sent, "recipient refused the fees");
    }

    /// @notice Fees are paid out on this chain (1), not on L1 (0).
    function withdrawalNetwork() external pure returns (uint8) {
        return 1;
    }

    /// @notice The version of the interface that this contract follows.
    function version() external pure returns (string memory) {
        return "1.5.0";
    }
}
